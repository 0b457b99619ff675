import type { ReactNode } from 'react'
import { say } from '../../../../../lib/text/console'

type Entry = {
  number: number
  user: unknown
  errors: readonly { message: string; path?: string | undefined }[]
}

type Props<Of extends Entry> = {
  label: string
  entries: readonly Of[]
  /** What becomes of it, where not all of them are refused. */
  outcome?(entry: Of): ReactNode
  /** What is said of one that is not refused. */
  otherwise?(entry: Of): ReactNode
}

/** Entries of a file with users, by their place in it, and why they are refused. */
export const Entries = <Of extends Entry>({ label, entries, outcome, otherwise }: Props<Of>) => (
  <table className="co-map" aria-label={label}>
    <thead>
      <tr>
        <th scope="col">{say('import.row')}</th>
        <th scope="col">{say('import.user')}</th>
        {outcome && <th scope="col">{say('import.outcome')}</th>}
        <th scope="col">{say('import.why')}</th>
      </tr>
    </thead>
    <tbody>
      {entries.map((entry) => (
        <tr key={entry.number}>
          <td>{entry.number}</td>
          <td>
            <bdi>{nameIn(entry.user)}</bdi>
          </td>
          {outcome && <td>{outcome(entry)}</td>}
          <td>{entry.errors.length > 0 ? <Reasons errors={entry.errors} /> : otherwise?.(entry)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Reasons = ({ errors }: Pick<Entry, 'errors'>) =>
  errors.map(({ path, message }) => (
    <span key={`${path} ${message}`}>
      {path !== undefined && <code>{path}</code>} {message}.{' '}
    </span>
  ))

function nameIn(user: unknown): string {
  const { email, username, name, user_id } = (user ?? {}) as Readonly<Record<string, unknown>>
  const found = [email, username, name, user_id].find((each) => typeof each === 'string' && each !== '')
  return typeof found === 'string' ? found : say('value.none')
}
