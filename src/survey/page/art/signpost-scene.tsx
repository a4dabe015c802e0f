/** An empty signpost at the roadside: for what is not there, or not yet. */
export function SignpostScene({ className = '' }: { readonly className?: string }) {
  return (
    <svg className={`art ${className}`} viewBox="0 0 240 150" aria-hidden="true">
      <circle className="art-sun" cx="168" cy="62" r="22" />
      <path
        className="art-far"
        d="M0 96c24-22 46-28 70-14 20 11 36 14 58 0 26-18 50-14 68-2 16 10 30 10 44 2v68H0z"
      />
      <path className="art-mid" d="M0 122c40-22 84-24 124-10 40 13 78 12 116-4v42H0z" />
      <path className="art-near" d="M70 44a4 4 0 0 1 8 0v82h-8z" />
      <path className="art-sign" d="M46 48h56l13 12-13 12H46a4 4 0 0 1-4-4V52a4 4 0 0 1 4-4z" />
      <path className="art-mark" d="M54 60h34" />
    </svg>
  );
}
