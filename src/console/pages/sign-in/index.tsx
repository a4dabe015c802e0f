import { startAuthentication } from '@simplewebauthn/browser';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { SignInWays } from '../../../contract/console/people.ts';
import { ApiError, apiPost, useApi } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { safeAddress } from './safe-address.ts';
import './sign-in.css';

const oidcProblems: Readonly<Record<string, string>> = {
  refused: 'You have no access with this account. Ask an admin to invite you.',
  failed: 'The identity provider did not confirm who you are. Try again.',
};

/** The link's secret. It stands behind `#`, which no server sees, and leaves address bar and history at once. */
const secret = location.hash.slice(1);

/** Lets people in: by the link that they opened, by passkey, or at their identity provider. */
export default function SignInPage() {
  const search = useSearch({ strict: false }) as { next?: string; oidc?: string };
  useEffect(() => {
    document.title = 'Sign in · Console';
    if (location.hash !== '') {
      history.replaceState(history.state, '', location.pathname + location.search);
    }
  }, []);
  const enter = () => location.replace(safeAddress(search.next, location.origin));
  return (
    <main className="sign-in">
      <h1>
        <span className="rail-mark">
          <Icon name="overview" />
        </span>
        Operators’ console
      </h1>
      {secret === '' ? (
        <Ways onDone={enter} problem={oidcProblems[search.oidc ?? ''] ?? ''} />
      ) : (
        <ByLink onDone={enter} />
      )}
    </main>
  );
}

/** Runs a way to sign in, and keeps why it failed. */
function useWay(way: () => Promise<void>, onDone: () => void) {
  const [problem, setProblem] = useState('');
  const [isPending, setIsPending] = useState(false);
  const run = async () => {
    setProblem('');
    setIsPending(true);
    try {
      await way();
      onDone();
    } catch (error) {
      setProblem(problemOf(error));
      setIsPending(false);
    }
  };
  return { problem, isPending, run: () => void run() };
}

function problemOf(error: unknown): string {
  if (error instanceof ApiError) return error.detail;
  // Browsers say NotAllowedError for a cancelled dialog and for a missing passkey alike.
  return 'No passkey was used. Try again, or ask an admin for a sign-in link.';
}

function ByLink({ onDone }: { readonly onDone: () => void }) {
  const { problem, isPending, run } = useWay(
    () => apiPost<void>('/api/sign-in/link', { secret }),
    onDone,
  );
  return (
    <Ask text="Your link signs you in once, on this device." problem={problem}>
      <Button tone="primary" onPress={run} isPending={isPending}>
        Sign in
      </Button>
    </Ask>
  );
}

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

async function signInByPasskey(): Promise<void> {
  const optionsJSON = await apiPost<Options>('/api/sign-in/passkey/options');
  await apiPost<void>('/api/sign-in/passkey', await startAuthentication({ optionsJSON }));
}

type WaysProps = { readonly onDone: () => void; readonly problem: string };

function Ways({ onDone, problem: before }: WaysProps) {
  const ways = useApi<SignInWays>('/api/sign-in');
  const { problem, isPending, run } = useWay(signInByPasskey, onDone);
  const { passkey = false, oidc = null } = ways.data ?? {};
  return (
    <Ask
      text="Use a passkey, or open the sign-in link that you were sent."
      problem={problem || before}
    >
      {passkey && (
        <Button tone="primary" onPress={run} isPending={isPending} icon="key">
          Sign in with a passkey
        </Button>
      )}
      {oidc !== null && (
        <a className="button" data-tone="plain" href="/api/sign-in/oidc">
          Sign in at {oidc}
        </a>
      )}
      <p className="sign-in-help">
        No link? An admin can send one from System, People. On the server, this makes one:
      </p>
      <pre className="sign-in-command">
        {'npm run console -- \\\n  invite you@example.com --role operator'}
      </pre>
    </Ask>
  );
}

type AskProps = { readonly text: string; readonly problem: string; readonly children: ReactNode };

function Ask({ text, problem, children }: AskProps) {
  return (
    <div className="card sign-in-card">
      <p>{text}</p>
      {children}
      <p className="sign-in-problem" role="alert">
        {problem}
      </p>
    </div>
  );
}
