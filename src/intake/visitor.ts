/** What a request tells of its sender, as the routes read it. */
export type Visitor = {
  /** The visitor's address, through the trusted proxies. */
  readonly address: string;
  /** What tells visitors apart, and limits of requests count by: the address, or the /64 of an IPv6 one. */
  readonly addressKey: string;
  /**
   * What is counted by where one sender could cost much, with SMS, paid checks, bytes and do-not-sell requests:
   * the address, or the /48 of an IPv6 one, which is what one site is given.
   */
  readonly networkKey: string;
  readonly userAgent: string;
  /** `Sec-GPC: 1`: an opt-out of sale and sharing. */
  readonly secGpc: boolean;
  /** The variants of experiments that the browser has seen (`assignmentText`); not said: none. */
  readonly variants?: string;
  /** SHA-256 of the secret of the lead that the request is about; null: none came with it. */
  readonly secretSha256: string | null;
  /** The page that sent the request, without its query; empty when the browser did not say. */
  readonly page: string;
  /** Origin that the visitor asked, as the request says. */
  readonly siteOrigin: string;
};
