-- An erasure finds the plans for which a lead was chosen, also if nothing of the lead is on their list.
create index plans_chosen_leads_idx on plans using gin ((source->'leadIds'));
