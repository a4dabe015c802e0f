/** An account at the ingest service. `key` is secret and must not reach a page. */
export type IngestAccount = {
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
};
