import { hydrateRoot } from 'react-dom/client';
import { BareApp } from './app.tsx';

hydrateRoot(document.getElementById('root') as HTMLElement, <BareApp />);
