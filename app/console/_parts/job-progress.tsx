import type { ReactNode } from 'react'
import type { AnswerOf } from '../../../lib/management/console-call'
import type { jobs } from '../../../lib/management/jobs/resource'
import { say } from '../../../lib/text/console'
import '../users/import/import.css'
import { KeepFresh } from './keep-fresh'
import { Panel } from './panel'
import { Notice } from './states'

const EVERY_SECONDS = 2

type Props = { job: AnswerOf<typeof jobs.read>; path: string; children: ReactNode }

/** How far a job is. The page loads itself again until it has ended; without scripts by the browser. */
export function JobProgress({ job, path, children }: Props) {
  const { status, percentage_done: share = 0, status_details: details } = job
  const isOver = status === 'completed' || status === 'failed'
  return (
    <Panel title={say('import.progress')}>
      {status === 'failed' && details !== undefined && <Notice kind="error">{details}</Notice>}
      <p role="status">
        {say(`import.job.${status}`)} {!isOver && `${share} %`}
      </p>
      <progress max={100} value={share} aria-label={say('import.progress')} />
      {children}
      {!isOver && (
        <>
          <KeepFresh seconds={EVERY_SECONDS} />
          <noscript>
            <meta httpEquiv="refresh" content={String(EVERY_SECONDS)} />
            <a className="co-button" href={path}>
              {say('import.refresh')}
            </a>
          </noscript>
        </>
      )}
    </Panel>
  )
}
