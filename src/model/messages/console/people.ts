/** The console's messages about sign-in, roles, sessions and the audit log (docs/console.md). */

/** A viewer sees numbers and masked leads. An operator also sees and changes leads. An admin may do everything. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The signed-in operator. */
export type Me = {
  readonly email: string;
  readonly role: Role;
  /** The operators' time zone, such as `America/New_York`. All answers have days in this time zone. */
  readonly timeZone: string;
  readonly company: string;
  readonly hasPasskey: boolean;
  /** Latest end of the session (ISO 8601). */
  readonly sessionEndsAt: string;
};

/** The ways to sign in. `oidc` is the provider's name. */
export type SignInWays = { readonly passkey: boolean; readonly oidc: string | null };

export type OperatorPerson = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly lastSeenAt: string | null;
  readonly passkeys: number;
};

/** A new or renewed one-time sign-in link, which the console shows only once. */
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
  /** The way in which the operator signed in. */
  readonly way: SignInWay;
  /** The admin who made the sign-in link. Null for other ways. */
  readonly linkBy: string | null;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly userAgent: string;
  readonly isOwn: boolean;
};

/** An entry of the audit log: an action, an export, or access to personal data. */
export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  /** A verb phrase such as `lead.opened`, `leads.exported`, `destination.paused`. */
  readonly action: string;
  /** The object of the action: a lead id, destination, plan or operator's e-mail address. */
  readonly subject: string;
  readonly reason: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: string | null };
