import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Me, Role } from '../../model/messages/console/people.ts';
import { roles } from '../../model/messages/console/people.ts';

/** An error of a request. `status` is 0 if the server did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The query parameters of a request. Empty values are not sent. */
type ApiQuery = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function addressOf(path: string, query: ApiQuery = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(key, String(value));
  }
  return params.size === 0 ? path : `${path}?${params}`;
}

/** After this time without input from the operator, requests no longer extend the session. */
const UNATTENDED_MS = 10 * 60_000;
let lastInputAtMs = performance.now();
for (const type of ['pointerdown', 'keydown']) {
  globalThis.addEventListener?.(type, () => {
    lastInputAtMs = performance.now();
  });
}

/**
 * Gets an answer, or posts JSON. The header `x-console` proves that no other site sent the request.
 * @throws ApiError
 */
async function request(
  address: string,
  { body, signal }: { readonly body?: unknown; readonly signal?: AbortSignal | undefined },
): Promise<Response> {
  const isPost = body !== undefined;
  const isUnattended = performance.now() - lastInputAtMs > UNATTENDED_MS;
  const response = await fetch(address, {
    ...(isPost && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      accept: 'application/json',
      ...(isPost && { 'content-type': 'application/json', 'x-console': '1' }),
      ...(isUnattended && { 'x-unattended': '1' }),
    },
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer.');
  });
  if (response.ok) return response;
  type Answer = { readonly detail?: string; readonly title?: string };
  const { detail, title }: Answer = await response.json().catch(() => ({}));
  throw new ApiError(response.status, detail ?? title ?? `The server answered ${response.status}.`);
}

export async function apiPost<T>(path: string, body: unknown = {}): Promise<T> {
  const response = await request(path, { body });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Posts JSON and downloads the response as a file. @throws ApiError */
export async function saveFile(path: string, body: unknown, signal?: AbortSignal): Promise<string> {
  const response = await request(path, { body, signal });
  const [, name = 'file'] =
    response.headers.get('content-disposition')?.match(/filename="([^"]+)"/) ?? [];
  const file = await response.blob().catch(() => {
    throw new ApiError(0, 'The connection broke before the end. Nothing was saved: try again.');
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Browsers may start the download late, so the URL stays valid for one minute.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return name;
}

type ApiOptions<T> = Omit<UseQueryOptions<T, ApiError>, 'queryKey' | 'queryFn'>;

/** Query options that repeat a request while the tab is visible. */
export const polled = { refetchInterval: 10_000 } as const;

/** Query options for polling that display the previous answer until the next answer arrives. */
export const steady = { ...polled, placeholderData: keepPreviousData } as const;

/** Gets JSON from a path, and caches the answer. */
export function useApi<T>(
  path: string,
  query: ApiQuery = {},
  options: ApiOptions<T> = {},
): UseQueryResult<T, ApiError> {
  return useQuery<T, ApiError>({
    ...options,
    queryKey: [path, query],
    queryFn: async ({ signal }) => (await request(addressOf(path, query), { signal })).json(),
  });
}

/** Returns a mutation. After a success, the page reloads all data. */
export function useAction<Body = unknown, Answer = unknown>(
  act: string | ((body: Body) => Promise<Answer>),
): UseMutationResult<Answer, Error, Body> {
  const client = useQueryClient();
  return useMutation<Answer, Error, Body>({
    mutationFn: (body) => (typeof act === 'string' ? apiPost<Answer>(act, body) : act(body)),
    onSuccess: () => client.invalidateQueries(),
    gcTime: 0,
  });
}

export function useMeQuery(): UseQueryResult<Me, ApiError> {
  return useApi<Me>('/api/me', {}, { staleTime: 5 * 60_000 });
}

export function useMe(): Me | undefined {
  return useMeQuery().data;
}

/** Returns whether the operator has at least this role. */
export function useMay(role: Role): boolean {
  const me = useMe();
  return me !== undefined && roles.indexOf(me.role) >= roles.indexOf(role);
}
