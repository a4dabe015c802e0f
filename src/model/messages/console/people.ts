/** The roles of operators, in increasing order of rights (docs/console.md). */
export const roles = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof roles)[number];

/** The signed-in operator. */
export type Me = {
  readonly email: string;
  readonly role: Role;
  /** The time zone in which a day of the console begins. */
  readonly timeZone: string;
  readonly company: string;
  readonly sessionEndsAt: string;
};

/** The ways to sign in. `oidc` is the name of the identity provider. */
export type SignInWays = { readonly passkey: boolean; readonly oidc: string | null };

export type OperatorPerson = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly lastSeenAt: string | null;
  readonly passkeys: number;
};

/** A link for signing in once. */
export type InviteAnswer = {
  readonly person: OperatorPerson;
  readonly link: string;
  readonly expiresAt: string;
};

/** A passkey of the signed-in operator. */
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
  /** The admin who created the sign-in link. */
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
  /** A verb phrase, such as `lead.opened`. */
  readonly action: string;
  /** The object of the action, such as a lead id. */
  readonly subject: string;
  readonly reason: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next: string | null };
