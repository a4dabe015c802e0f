-- Statistics of the expression of visit_summaries_facets_idx. PostgreSQL gathers them by itself only once a tenth of the
-- table has changed, and until then it guesses how many leads have a facet.
analyze visit_summaries;
-- Every look at the index reads the entries that are not merged into it yet: some hundred leads instead of ten thousand.
alter index visit_summaries_facets_idx set (gin_pending_list_limit = 256);
