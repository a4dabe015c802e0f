/** What a request says about its sender. */
export type Visitor = {
  /** The IP address, as seen through the trusted proxies. */
  readonly address: string;
  /** The key of request limits, one per visitor: the address, or the /64 of an IPv6 address. */
  readonly addressKey: string;
  /**
   * The key of costly limits (SMS, paid checks, bytes, do-not-sell requests): the address, or the /48 of an IPv6
   * address, since providers assign a /48 to a single site.
   */
  readonly networkKey: string;
  readonly userAgent: string;
  /** Whether `Sec-GPC: 1` opts out of sale and sharing. */
  readonly secGpc: boolean;
  /** The values of `adCookieNames` in the browser. Default: none, as with the opt-out signal. */
  readonly adCookies?: Readonly<Record<string, string>>;
  /** The experiment variants that the browser saw (`assignmentText`). Default: none. */
  readonly variants?: string;
  /** SHA-256 of the lead secret that the request sent; null: it sent none. */
  readonly secretSha256: string | null;
  /** The page that sent the request, without its query; empty if the browser did not say. */
  readonly page: string;
  /** The origin that the request was sent to. */
  readonly siteOrigin: string;
};
