/**
 * A consent as the visitor saw it, kept as seen even where another text is sent (readings, "Sending").
 * The proof that 47 CFR 64.1200(f)(9) and 16 CFR 310.5 ask for: who agreed to what, when and where.
 */
export type ConsentRecord = {
  /** The whole text as shown, to the letter. */
  readonly text: string;
  /** Fingerprint of the text, see `consentVersion`. */
  readonly version: string;
  /** Language of the text (BCP 47, `en` or `es`). */
  readonly language: string;
  /** Path of the page that showed it, without its query. */
  readonly page: string;
  /** When it came on screen, ISO 8601 in UTC, by the visitor's clock. */
  readonly shown_at: string;
  /** When the visitor agreed, ISO 8601 in UTC, by the visitor's clock. */
  readonly agreed_at?: string;
  /** When the server took it, ISO 8601 in UTC. */
  readonly received_at?: string;
  /** Label of the button that meant agreement. */
  readonly action?: string;
  /** Address of the request. */
  readonly ip_address?: string;
  /** The browser. */
  readonly user_agent?: string;
  /** Certificate ids, where a certificate script ran. */
  readonly trusted_form_cert_id?: string;
  readonly leadid_token?: string;
  /** Names of the buyers shown, and of those chosen (one-to-one consent). */
  readonly buyers_shown?: readonly string[];
  readonly buyers_chosen?: readonly string[];
};

/**
 * A short fingerprint of a consent text: 64-bit FNV-1a over its UTF-16 units, 16 hexadecimal digits.
 * White space is folded first, as a page's line breaks are not part of the text. It tells versions
 * apart; the proof is the text itself, which is stored beside it.
 */
export function consentVersion(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text.trim().replace(/\s+/g, ' ')) {
    for (let index = 0; index < character.length; index += 1) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(character.charCodeAt(index))) * 0x100000001b3n);
    }
  }
  return hash.toString(16).padStart(16, '0');
}
