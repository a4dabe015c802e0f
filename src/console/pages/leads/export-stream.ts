/** Reads an export as it streams, and counts its leads. */
import type { LeadExportRequest } from '../../../contract/console/leads.ts';
import { ApiError } from '../../api.ts';

/** How far an export has come. */
export type ExportProgress = { readonly leads: number; readonly bytes: number };

/** Parts are put into a blob at this size: browsers move large blobs from memory to the disk. */
const BLOB_BYTES = 8 * 1024 * 1024;

/**
 * Asks for an export and returns the whole file.
 * @throws ApiError if it is refused, or the connection breaks before its end; the signal's error if cancelled
 */
export async function streamExport(
  request: LeadExportRequest,
  signal: AbortSignal,
  onProgress: (progress: ExportProgress) => void,
): Promise<{ readonly file: Blob; readonly leads: number }> {
  try {
    const response = await fetch('/api/leads/export', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json', 'x-console': '1' },
      body: JSON.stringify(request),
      signal,
    });
    if (!response.ok || response.body === null) {
      const problem = (await response.json().catch(() => ({}))) as { detail?: string };
      throw new ApiError(
        response.status,
        problem.detail ?? `The server answered ${response.status}.`,
      );
    }
    return await collect(response.body, request.format, onProgress);
  } catch (error) {
    if (error instanceof ApiError || signal.aborted) throw error;
    throw new ApiError(0, 'The connection broke before the end. Nothing was saved: try again.');
  }
}

async function collect(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  format: LeadExportRequest['format'],
  onProgress: (progress: ExportProgress) => void,
) {
  const decoder = new TextDecoder();
  const counter = countRecords(format);
  const blobs: Blob[] = [];
  let parts: Uint8Array<ArrayBuffer>[] = [];
  let partBytes = 0;
  let bytes = 0;
  let leads = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    partBytes += value.byteLength;
    bytes += value.byteLength;
    leads = counter(decoder.decode(value, { stream: true }));
    if (partBytes >= BLOB_BYTES) {
      blobs.push(new Blob(parts));
      parts = [];
      partBytes = 0;
    }
    onProgress({ leads, bytes });
  }
  const type = format === 'csv' ? 'text/csv' : 'application/json';
  return { file: new Blob([...blobs, ...parts], { type }), leads };
}

/**
 * Returns a function that is given the export's text piece by piece, and returns the number of leads so far. A
 * quoted CSV value may have line ends of its own; JSON has one lead on each line that begins with a brace.
 */
export function countRecords(format: LeadExportRequest['format']): (piece: string) => number {
  let records = 0;
  let isQuoted = false;
  let before = '\n';
  return (piece) => {
    for (const character of piece) {
      if (format === 'json') {
        if (character === '{' && before === '\n') records += 1;
      } else if (character === '"') isQuoted = !isQuoted;
      else if (character === '\n' && !isQuoted) records += 1;
      before = character;
    }
    // The first CSV record names the columns.
    return format === 'csv' ? Math.max(0, records - 1) : records;
  };
}

/** Saves a file through the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
