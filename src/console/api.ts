/** Asks the console's server: JSON in and out, failures as `ApiError`. */
import {
  type UseMutationResult,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Me, Role } from '../contract/console/people.ts';
import { roles } from '../contract/console/people.ts';

/** The server refused a request or did not answer. `status` is 0 if there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  /** One sentence for the operator. */
  readonly detail: string;

  constructor(status: number, detail: string) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.detail = detail;
  }
}

/** The query keys of a request. Absent and empty values are left out of the address. */
export type ApiQuery = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Returns the path with its query. */
export function addressOf(path: string, query: ApiQuery = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(key, String(value));
  }
  return params.size === 0 ? path : `${path}?${params}`;
}

/** Reads the sentence of a problem+json answer. */
async function detailOf(response: Response): Promise<string> {
  const fallback = `The server answered ${response.status}.`;
  try {
    const { detail, title } = (await response.json()) as { detail?: string; title?: string };
    return detail ?? title ?? fallback;
  } catch {
    return fallback;
  }
}

async function request(address: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError(0, 'The server does not answer.');
  }
  if (!response.ok) throw new ApiError(response.status, await detailOf(response));
  return response;
}

async function send<T>(address: string, init: RequestInit): Promise<T> {
  const response = await request(address, init);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Gets JSON, such as `apiGet<LeadListAnswer>('/api/leads', { survey })`. */
export function apiGet<T>(path: string, query?: ApiQuery, signal?: AbortSignal): Promise<T> {
  return send<T>(addressOf(path, query), {
    headers: { accept: 'application/json' },
    signal: signal ?? null,
  });
}

/** Returns a post with the header `x-console`, which no foreign page can send. */
function posted(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'x-console': '1',
    },
    body: JSON.stringify(body),
  };
}

/** Posts JSON and reads JSON. */
export function apiPost<T>(path: string, body: unknown = {}): Promise<T> {
  return send<T>(path, posted(body));
}

/** Posts JSON and reads a file, with the name that the server gives it. */
export async function apiFile(path: string, body: unknown): Promise<{ file: Blob; name: string }> {
  const response = await request(path, posted(body));
  const [, name = 'file'] =
    response.headers.get('content-disposition')?.match(/filename="([^"]+)"/) ?? [];
  return { file: await response.blob(), name };
}

/** Options of `useApi`, such as `enabled` or `placeholderData`. */
export type ApiOptions<T> = Omit<UseQueryOptions<T, ApiError>, 'queryKey' | 'queryFn'>;

/** Gets JSON and keeps it by path and query. The event stream says when it is stale. */
export function useApi<T>(
  path: string,
  query: ApiQuery = {},
  options: ApiOptions<T> = {},
): UseQueryResult<T, ApiError> {
  return useQuery<T, ApiError>({
    ...options,
    queryKey: [path, query],
    queryFn: ({ signal }) => apiGet<T>(path, query, signal),
  });
}

/** Posts to a path. After success every query on the page is asked again. */
export function useAction<Body = unknown, Answer = unknown>(
  path: string,
): UseMutationResult<Answer, ApiError, Body> {
  const client = useQueryClient();
  return useMutation<Answer, ApiError, Body>({
    mutationFn: (body) => apiPost<Answer>(path, body),
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Returns the signed-in operator, or undefined while it is not known. */
export function useMe(): Me | undefined {
  return useApi<Me>('/api/me', {}, { staleTime: 5 * 60_000 }).data;
}

/** Tells whether the signed-in operator has at least this role. The server checks it again. */
export function useMay(role: Role): boolean {
  const me = useMe();
  return me !== undefined && roles.indexOf(me.role) >= roles.indexOf(role);
}
