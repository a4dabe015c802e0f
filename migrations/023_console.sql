-- Who uses the operators' console, and what they did (docs/decisions/0067-console.md). Secrets are kept as SHA-256.
create table operators (
  id uuid primary key,
  -- In lower case.
  email text not null constraint operators_email_key unique,
  role text not null constraint operators_role_check check (role in ('viewer', 'operator', 'admin')),
  -- The person at the identity provider, since the first sign-in there.
  oidc_subject text,
  invited_by text not null,
  created_at timestamptz not null default now(),
  -- Null: may sign in.
  disabled_at timestamptz,
  seen_at timestamptz
);

-- Secrets that work once: sign-in links, challenges of passkeys, states of OpenID Connect.
create table sign_in_secrets (
  sha256 text primary key,
  kind text not null constraint sign_in_secrets_kind_check
    check (kind in ('link', 'passkey', 'registration', 'oidc')),
  -- Null: the person is not known yet.
  operator_id uuid references operators (id),
  -- What has to be remembered until the secret is used.
  detail jsonb not null default '{}',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_secrets_expires_at_idx on sign_in_secrets (expires_at);
create index sign_in_secrets_operator_id_idx on sign_in_secrets (operator_id) where used_at is null;

create table console_sessions (
  id uuid primary key,
  sha256 text not null constraint console_sessions_sha256_key unique,
  operator_id uuid not null references operators (id),
  started_at timestamptz not null default now(),
  -- The last request, to the minute.
  seen_at timestamptz not null default now(),
  ends_at timestamptz not null,
  user_agent text not null,
  revoked_at timestamptz
);
create index console_sessions_operator_id_idx on console_sessions (operator_id, ends_at);
create index console_sessions_ends_at_idx on console_sessions (ends_at);

create table passkeys (
  -- The credential's id, base64url.
  id text primary key,
  operator_id uuid not null references operators (id),
  -- COSE, base64url.
  public_key text not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkeys_operator_id_idx on passkeys (operator_id);

-- Every action, export and opening of personal data. Rows are only added.
create table audit_log (
  -- UUIDv7: the order of time.
  id uuid primary key,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  subject text not null,
  reason text not null default '',
  detail jsonb not null default '{}'
);
create index audit_log_actor_idx on audit_log (actor, id);
create index audit_log_action_idx on audit_log (action, id);
create index audit_log_subject_idx on audit_log (subject, id);
