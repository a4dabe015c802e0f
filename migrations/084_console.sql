-- The console has no saved views.
drop table saved_views;
