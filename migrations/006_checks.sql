-- What third parties said while a visitor or a lead waited (docs/decisions/0024-checks.md).

-- Their answers, so that the same value is not paid for twice and a post needs no call. What was asked is
-- a hash.
create table check_answers (
  service text not null,
  asked_sha256 text not null,
  answer jsonb not null,
  expires_at timestamptz not null,
  primary key (service, asked_sha256)
);
create index check_answers_expires_at_idx on check_answers (expires_at);

-- Each time that one was asked about a lead, or would have been. Written before the lead and without one:
-- no foreign key.
create table lead_checks (
  id uuid primary key,
  lead_id uuid not null,
  -- What was asked after a post, about that revision; null: while the survey was answered.
  revision integer,
  service text not null,
  asked_sha256 text not null,
  at timestamptz not null,
  duration_ms integer not null,
  outcome text not null constraint lead_checks_outcome_check check (outcome in (
    'answered', 'failed', 'timed_out', 'skipped', 'remembered')),
  said jsonb
);
create index lead_checks_lead_id_idx on lead_checks (lead_id, at);
-- The first answer stays: it may have been sent along.
create unique index lead_checks_revision_key on lead_checks (lead_id, revision, service)
  where revision is not null;

-- What the rules were given by services in place of our own checks; null: nothing.
alter table lead_revisions add column given json;
