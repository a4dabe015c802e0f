-- No hash of what an erased or expired lead said stays (docs/decisions/0017-retention-and-erasure.md): whoever knew the rest
-- of it found the phone number by trying.
update lead_revisions r set body_sha256 = '' from leads l
where l.id = r.lead_id and l.erased_at is not null and r.body_sha256 <> '';

update delivery_attempts a set sent_sha256 = null from deliveries d, leads l
where d.id = a.delivery_id and l.id = d.lead_id and l.erased_at is not null and a.sent_sha256 is not null;

update lead_events e set detail = jsonb_set(e.detail, '{revisions}', (
  select coalesce(jsonb_agg(each - 'body_sha256'), '[]') from jsonb_array_elements(e.detail->'revisions') as each))
where e.kind in ('erased', 'expired') and jsonb_typeof(e.detail->'revisions') = 'array';
