import { useState } from 'react';
import { announce } from '../../parts/announce.ts';
import { IconButton } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';

/** Copies a text, and says so. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [isDone, setIsDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    announce('Copied');
    setIsDone(true);
    setTimeout(() => setIsDone(false), 2_000);
  };
  return (
    <IconButton label={label} onPress={() => void copy()}>
      <Icon name={isDone ? 'check' : 'copy'} />
    </IconButton>
  );
}
