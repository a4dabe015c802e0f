-- The statement that queues a lead for the log gives it its salt. So a lead that an older server stores during an
-- upgrade has none, as it is not logged.
alter table leads alter column evidence_salt drop default;
