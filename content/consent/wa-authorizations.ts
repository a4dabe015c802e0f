import type { AuthorizationFile } from '../../src/model/rules/authorization-text.ts';
import { waAuthorization20261128 } from './wa-authorization-2026-11-28.ts';

/** All authorizations that pages ever displayed. */
export const waAuthorizations: readonly AuthorizationFile[] = [waAuthorization20261128];
/** The authorization that pages display. */
export const waAuthorization = waAuthorization20261128;
