/** Decoration beside a name. */
export function Icon({ path }: { path: string }) {
  return (
    <svg className="co-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  )
}
