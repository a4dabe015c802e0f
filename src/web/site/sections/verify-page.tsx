import type { ReactNode } from 'react';
import type { VerifyWords } from '../../../../content/forms/verify.ts';
import type { Language } from '../../../model/fields/language.ts';
import { PageHead, type PageProps, PlainList } from './page-parts.tsx';

type ToolProps = { readonly language: Language; readonly words: VerifyWords };

/** The page on which `entries/verify.ts` checks evidence packs. */
export function VerifyPage(props: PageProps & ToolProps) {
  const { language, words } = props;
  return (
    <>
      <PageHead language={language} page="verify" title={words.title} lead={words.lead} />
      <Verifier language={language} words={words} hasSite>
        <h2>{words.ownTitle}</h2>
        <p>{words.own}</p>
        <ul className="row">
          <li>
            <a href="/verify.html" download="verify.html">
              {words.ownPage}
            </a>
          </li>
          <li>
            <a href="/verify.mjs" download="verify.mjs">
              {words.ownProgram}
            </a>
          </li>
        </ul>
      </Verifier>
    </>
  );
}

/** The verifier of evidence packs as a single HTML file. */
export function VerifierFile({ language, words }: ToolProps) {
  const other = language === 'en' ? 'es' : 'en';
  return (
    <div className="verifier-file" lang={language} id={language}>
      <header className="article-head">
        <div className="container">
          <a className="link" href={`#${other}`} lang={other}>
            {words.otherLanguage}
          </a>
          <h1 className="display">{words.title}</h1>
          <p className="lead">{words.lead}</p>
        </div>
      </header>
      <Verifier language={language} words={words} />
    </div>
  );
}

type VerifierProps = ToolProps & {
  /** True if the check trusts the keys of the site that served the page. */
  readonly hasSite?: true;
  readonly children?: ReactNode;
};

function Verifier({ language, words, hasSite, children }: VerifierProps) {
  const id = (name: string) => `${name}-${language}`;
  return (
    <div className="container columns form-page">
      <div className="fields verifier" lang={language} data-site={hasSite}>
        <form className="fields card verify-form" noValidate>
          <h2 className="title">{words.formTitle}</h2>
          <noscript>
            <p className="notice notice--error">{words.withoutScript}</p>
          </noscript>
          <div className="field notice drop">
            <label htmlFor={id('pack')}>{words.pack}</label>
            <p className="hint" id={id('pack-hint')}>
              {words.packHint}
            </p>
            <input
              type="file"
              id={id('pack')}
              name="pack"
              accept=".zip"
              aria-describedby={id('pack-hint')}
            />
          </div>
          <details>
            <summary>{words.more}</summary>
            <div className="fields">
              {(['keys', 'heads', 'consistency'] as const).map((name) => (
                <div className="field" key={name}>
                  <label htmlFor={id(name)}>
                    {words[name]} <span className="hint">{words[`${name}Hint`]}</span>
                  </label>
                  <input type="file" id={id(name)} name={name} multiple={name !== 'keys'} />
                </div>
              ))}
            </div>
          </details>
          <p
            className="verify-status"
            role="status"
            data-checking={words.checking}
            data-old-browser={words.oldBrowser}
            data-unreadable={words.unreadable}
          />
        </form>
        <section className="fields card report" aria-labelledby={id('verdict')} hidden />
      </div>
      <aside className="ways">
        <h2>{words.aboutTitle}</h2>
        <PlainList lines={words.about} />
        {children}
      </aside>
    </div>
  );
}
