/** Who uses the console, and what they did: sign-in, roles, sessions, audit log (docs/console.md). */

/** viewer: numbers and masked leads. operator: also leads and actions. admin: also people, erasure, settings. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The signed-in operator. */
export type Me = {
  readonly email: string;
  readonly role: Role;
  /** The operators' time zone, such as `America/New_York`; days in all answers are days of it. */
  readonly timeZone: string;
  readonly company: string;
  readonly hasPasskey: boolean;
  /** ISO 8601: when the session ends at the latest. */
  readonly sessionEndsAt: string;
};

/** What the sign-in page offers. */
export type SignInWays = { readonly passkey: boolean; readonly oidc: string | null };

export type OperatorPerson = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly lastSeenAt: string | null;
  readonly passkeys: number;
};

/** A new or renewed one-time sign-in link. It is shown once. */
export type InviteAnswer = {
  readonly person: OperatorPerson;
  readonly link: string;
  readonly expiresAt: string;
};

/** A passkey of the signed-in operator. Times are ISO 8601. */
export type OwnPasskey = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly usedAt: string | null;
};

export type SignInWay = 'link' | 'passkey' | 'oidc';

export type OperatorSession = {
  readonly id: string;
  readonly email: string;
  /** How it was opened. */
  readonly way: SignInWay;
  /** Who made the link; null: another way. */
  readonly linkBy: string | null;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly userAgent: string;
  readonly isOwn: boolean;
};

/** One action, export, or opening of personal data. Rows are only added. */
export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  /** A verb phrase such as `lead.opened`, `leads.exported`, `destination.paused`. */
  readonly action: string;
  /** What it was done to: a lead id, a destination, a plan, an e-mail address of an operator. */
  readonly subject: string;
  readonly reason: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: string | null };
