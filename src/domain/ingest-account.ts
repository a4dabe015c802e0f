/** An account at the ingest service. `key` is secret and never reaches a page. */
export type IngestAccount = {
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
};
