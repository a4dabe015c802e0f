export { type AuditRecord, addAuditEntry, listAudit } from './audit.ts';
export { createOidcProvider, signInByOidc } from './oidc.ts';
export {
  canHavePasskeys,
  listPasskeys,
  offerRegistration,
  offerSignIn,
  type RelyingParty,
  register,
  removePasskey,
  signInByPasskey,
} from './passkeys.ts';
export {
  type Invitation,
  invite,
  listPeople,
  makeStartLink,
  revokePerson,
  signInLink,
} from './people.ts';
export { endOneSession, endSession, findSession, isLive, listSessions } from './sessions.ts';
export { type SignInBrowser, signInByLink } from './sign-in.ts';
