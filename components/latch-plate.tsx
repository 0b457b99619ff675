/** The lock on the drawn door: a lever over a keyhole. Decoration only; globals.css turns the lever while a form is sent. */
export function LatchPlate() {
  return (
    <svg className="latch" viewBox="0 0 96 168" aria-hidden="true" focusable="false">
      <rect className="latch-plate" x="52" y="4" width="40" height="160" rx="20" />
      <path className="latch-hole" d="M72 104a10 10 0 0 1 6 18l3 20H63l3-20a10 10 0 0 1 6-18Z" />
      <g className="latch-lever">
        <rect className="latch-shade" x="6" y="41" width="76" height="17" rx="8.5" />
        <rect className="latch-bar" x="6" y="38" width="76" height="17" rx="8.5" />
        <circle className="latch-boss" cx="72" cy="46.5" r="12" />
      </g>
    </svg>
  )
}
