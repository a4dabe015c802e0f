-- One-to-one consent: what is known of a lead before it is posted, and the text that is sent for it.
--
-- Both tables have a row before their lead, and some without one: no foreign key.

-- The ingest account that the mapping service named for a lead; used in place of the settings'.
create table lead_accounts (
  lead_id uuid primary key,
  campaign_id text not null,
  supplier_id text not null,
  key text not null,
  created_at timestamptz not null default now()
);

-- The buyers that a visitor was offered, by the zip code that they were offered for.
create table buyer_offers (
  lead_id uuid primary key,
  offer jsonb not null,
  created_at timestamptz not null default now()
);

-- The statement that is sent in place of the text as seen; null where that text itself is sent.
alter table consents add column sent_text text;
