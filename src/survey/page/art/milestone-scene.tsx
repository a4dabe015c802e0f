/** A milestone at the roadside with an empty face: for what is not there, or not yet. */
export function MilestoneScene({ className = '' }: { readonly className?: string }) {
  return (
    <svg className={`art ${className}`} viewBox="0 0 240 150" aria-hidden="true">
      <circle className="art-sun" cx="168" cy="62" r="22" />
      <path
        className="art-far"
        d="M0 96c24-22 46-28 70-14 20 11 36 14 58 0 26-18 50-14 68-2 16 10 30 10 44 2v68H0z"
      />
      <path className="art-mid" d="M0 122c40-22 84-24 124-10 40 13 78 12 116-4v42H0z" />
      <path className="art-sign" d="M58 60a16 16 0 0 1 32 0v62H58z" />
      <path className="art-mark" d="M66 62h16M66 72h10" />
    </svg>
  );
}
