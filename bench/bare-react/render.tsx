import { renderToString } from 'react-dom/server';
import { BareApp } from './app.tsx';

/** The page's markup, as hydration expects it. */
export function render(): string {
  return renderToString(<BareApp />);
}
