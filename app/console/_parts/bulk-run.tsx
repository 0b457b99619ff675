import { say, sayCount } from '../../../lib/text/console'
import type { BulkProgress } from './run-bulk'

type Props = { progress: BulkProgress; cancel(): void; close(): void }

/** How far a bulk action is, and what failed. */
export function BulkRun({ progress, cancel, close }: Props) {
  const { action, total, done, failed, isRunning, isCanceled, signIn } = progress
  const changed = done - failed.length
  return (
    <>
      <p role="status" className="co-bulk-count">
        {isRunning
          ? say('bulk.running', { action, done: String(done), total: String(total) })
          : `${signIn === null || changed > 0 ? sayCount('bulk.done', changed) : ''}${isCanceled ? ` ${say('bulk.canceled')}` : ''}`}
      </p>
      <progress max={total} value={done} aria-label={action} />
      {signIn !== null && (
        <p>
          {say('bulk.sign_in')}{' '}
          <a className="link" href={signIn}>
            {say('bulk.sign_in.link')}
          </a>
        </p>
      )}
      {failed.length > 0 && (
        <>
          <p>{sayCount('bulk.failed', failed.length)}</p>
          <ul className="co-failed">
            {failed.map(({ id, label, message }) => (
              <li key={id}>
                <bdi>{label}</bdi>: {message || say('bulk.failed.unknown')}
              </li>
            ))}
          </ul>
        </>
      )}
      <div className="co-bulk-row">
        {isRunning ? (
          <button type="button" className="co-button co-button-small" onClick={cancel}>
            {say('bulk.cancel')}
          </button>
        ) : (
          <button type="button" className="co-button co-button-small" onClick={close}>
            {say('bulk.close')}
          </button>
        )}
      </div>
    </>
  )
}
