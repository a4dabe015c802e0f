import { renderToString } from 'react-dom/server';
import { BareApp } from './app.tsx';

/** Renders the page's markup for hydration. */
export function render(): string {
  return renderToString(<BareApp />);
}
