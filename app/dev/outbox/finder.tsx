/** Filters the list by recipient. */
export function Finder({ to }: { to: string | undefined }) {
  return (
    <search>
      <form className="finder" action="/dev/outbox">
        <label className="finder-label" htmlFor="to">
          Sent to
        </label>
        <input
          id="to"
          name="to"
          type="search"
          className="finder-input"
          defaultValue={to}
          placeholder="the whole address"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <button type="submit" className="button button-secondary finder-go">
          Find
        </button>
      </form>
    </search>
  )
}
