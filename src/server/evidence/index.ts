export { evidenceText, readProven, recipientsOf } from './facts.ts';
export { startEvidence } from './job.ts';
export { endKey, openSigningKey, readKeys, rotateKey } from './keys.ts';
export { createPublishedLog, originOf } from './log.ts';
export { makePack, packsForListeners } from './pack.ts';
export { previewRequest, rebuildRequest } from './proof.ts';
