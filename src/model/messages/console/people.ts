/** The console's messages about sign-in, roles, sessions and the audit log (docs/console.md). */

/** Viewers see masked leads and numbers, operators may open and change leads, admins may do all. */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The signed-in operator. */
export type Me = {
  readonly email: string;
  readonly role: Role;
  /** The time zone in which a day begins in the console, such as `America/New_York`. */
  readonly timeZone: string;
  readonly company: string;
  readonly hasPasskey: boolean;
  /** Time at which the session ends at the latest (ISO 8601). */
  readonly sessionEndsAt: string;
};

/** The available ways to sign in. `oidc` is the name of the identity provider. */
export type SignInWays = { readonly passkey: boolean; readonly oidc: string | null };

export type OperatorPerson = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly lastSeenAt: string | null;
  readonly passkeys: number;
};

/** A one-time link for signing in. The console shows the link only once. */
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
  readonly way: SignInWay;
  /** The admin who created the sign-in link. Null for other ways to sign in. */
  readonly linkBy: string | null;
  readonly startedAt: string;
  readonly seenAt: string;
  readonly userAgent: string;
  readonly isOwn: boolean;
};

export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  /** A verb phrase, such as `lead.opened` or `destination.paused`. */
  readonly action: string;
  /** The object of the action: a lead id, a destination, a plan or an operator's e-mail address. */
  readonly subject: string;
  readonly reason: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: string | null };
