import { startAuthentication } from '@simplewebauthn/browser';
import { type ReactNode, useEffect } from 'react';
import type { SignInWays } from '../../../../model/messages/console/people.ts';
import { ApiError, apiPost, useApi } from '../../api.ts';
import { safeAddress, useUrlQuery } from '../../parts/address.tsx';
import { ActionButton } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Problem } from '../../parts/page.tsx';
import './sign-in.css';

const oidcProblems: Readonly<Record<string, string>> = {
  refused: 'You have no access with this account. Ask an admin to invite you.',
  failed: 'The identity provider did not confirm who you are. Try again.',
};

/** The secret of a sign-in link. Browsers do not send the URL's fragment to the server. */
const secret = location.hash.slice(1);

/** Signs people in. */
export default function SignInPage() {
  const [{ next, oidc = '' }] = useUrlQuery();
  useEffect(() => {
    document.title = 'Sign in · Console';
    if (location.hash !== '') {
      history.replaceState(history.state, '', location.pathname + location.search);
    }
  }, []);
  const enter = () => location.replace(safeAddress(next, location.origin));
  return (
    <main className="sign-in">
      <h1 className="row">
        <span className="rail-mark">
          <Icon name="overview" />
        </span>
        Operators’ console
      </h1>
      {secret === '' ? (
        <Ways onDone={enter} problem={oidcProblems[oidc]} />
      ) : (
        <ByLink onDone={enter} />
      )}
    </main>
  );
}

type WayProps = { readonly onDone: () => void };

function ByLink({ onDone }: WayProps) {
  return (
    <Ask text="Your link signs you in once, on this device.">
      <ActionButton
        tone="primary"
        onAction={() => apiPost('/api/sign-in/link', { secret }).then(onDone)}
      >
        Sign in
      </ActionButton>
    </Ask>
  );
}

type Options = Parameters<typeof startAuthentication>[0]['optionsJSON'];

async function signInByPasskey(): Promise<void> {
  const optionsJSON = await apiPost<Options>('/api/sign-in/passkey/options');
  const answer = await startAuthentication({ optionsJSON }).catch(() => {
    // Browsers do not reveal whether the person cancelled the dialog or has no passkey.
    throw new ApiError(0, 'No passkey was used. Try again, or ask an admin for a sign-in link.');
  });
  await apiPost('/api/sign-in/passkey', answer);
}

function Ways({ onDone, problem }: WayProps & { readonly problem: string | undefined }) {
  const ways = useApi<SignInWays>('/api/sign-in');
  const { passkey = false, oidc = null } = ways.data ?? {};
  return (
    <Ask text="Use a passkey, or open the sign-in link that you were sent.">
      <Problem of={problem} />
      {passkey && (
        <ActionButton tone="primary" icon="key" onAction={() => signInByPasskey().then(onDone)}>
          Sign in with a passkey
        </ActionButton>
      )}
      {oidc !== null && (
        <a className="button" href="/api/sign-in/oidc">
          Sign in at {oidc}
        </a>
      )}
      <p className="quiet small">
        No link? An admin can send one from System, People. On the server, this makes one:
      </p>
      <pre className="wrap fine">npm run console -- invite you@example.com --role operator</pre>
    </Ask>
  );
}

function Ask({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <div className="card">
      <div className="body stack">
        <p>{text}</p>
        {children}
      </div>
    </div>
  );
}
