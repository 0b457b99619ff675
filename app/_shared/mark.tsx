/** The keyhole in the colour of the surrounding text. Decoration only. */
export function Mark() {
  return (
    <svg className="tools-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path
        fillRule="evenodd"
        d="M16 1a11 11 0 0 1 11 11v13a6 6 0 0 1-6 6H11a6 6 0 0 1-6-6V12A11 11 0 0 1 16 1Zm0 8a5 5 0 0 0-3 9l-1.5 8h9L19 18a5 5 0 0 0-3-9Z"
      />
    </svg>
  )
}
