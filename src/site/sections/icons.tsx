/** Line icons on a 24 by 24 grid, like the answers' icons (docs/design.md#scenes). */
const lineIcons = {
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17zM12 7.5V12l3 2',
  coin: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 1 0 0-17zM14.8 9.2c-.5-1-1.5-1.4-2.8-1.4-1.6 0-2.7.8-2.7 2.1 0 2.9 5.6 1.4 5.6 4.2 0 1.3-1.2 2.1-2.9 2.1-1.4 0-2.5-.5-3-1.5M12 6.3v11.4',
  note: 'M3.5 7h17v10h-17zM9.8 12a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0zM6.5 12h.01M17.5 12h.01',
  paper: 'M6.5 3.5H14l4 4v13H6.5zM14 3.5v4h4M9.5 12h5.5M9.5 15.5h5.5',
  pin: 'M12 21c-3.7-4-6.3-7.2-6.3-10.7a6.3 6.3 0 0 1 12.6 0C18.3 13.8 15.7 17 12 21zM9.8 10.2a2.2 2.2 0 1 0 4.4 0a2.2 2.2 0 1 0-4.4 0z',
  talk: 'M5 4.5h14A1.5 1.5 0 0 1 20.5 6v8.5A1.5 1.5 0 0 1 19 16h-7l-4.5 4v-4H5a1.5 1.5 0 0 1-1.5-1.5V6A1.5 1.5 0 0 1 5 4.5zM8 9h8M8 12h5',
} as const;

/** A decorative line icon beside text. */
export function LineIcon({ name }: { readonly name: keyof typeof lineIcons }) {
  return (
    <svg className="line-icon line-icon--well" viewBox="0 0 24 24" aria-hidden="true">
      <path d={lineIcons[name]} />
    </svg>
  );
}

/** A decorative phone icon beside text. */
export function PhoneIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.25 11.4 11.4 0 0 0 3.6.57 1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1c0 1.25.2 2.45.57 3.57a1 1 0 0 1-.25 1z" />
    </svg>
  );
}
