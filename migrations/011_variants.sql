-- Which variants of the experiments were seen, as `buttons.rounded~theme.plain`; empty: none ran.
alter table leads add column variants text not null default '';
alter table progress add column variants text not null default '';
