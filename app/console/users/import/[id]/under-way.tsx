import Link from 'next/link'
import { jobs } from '../../../../../lib/management/jobs/resource'
import type { Console } from '../../../../../lib/server/next/console/page'
import { say } from '../../../../../lib/text/console'
import { Facts } from '../../../_parts/facts'
import { Nowhere } from '../../../_parts/forbid'
import { Head } from '../../../_parts/head'
import { JobProgress } from '../../../_parts/job-progress'
import { Count, Moment } from '../../../_parts/moment'
import { Panel } from '../../../_parts/panel'
import { Entries } from './entries'

/** Refused entries that the page lists. */
const LISTED = 100

/** An import of users, and what it refused. */
export async function UnderWay({ id, console }: { id: string; console: Console }) {
  const job = await console.read(jobs.read, { params: { id } })
  const { type, summary, created_at, status } = job
  if (type !== 'users_import' || !summary) throw new Nowhere()
  const failures = summary.failed === 0 ? [] : await console.read(jobs.errors, { params: { id } })
  const isOver = status === 'completed' || status === 'failed'
  return (
    <>
      <Head title={say('import.job')} back={{ href: '/console/users', title: say('users.title') }} />
      <JobProgress job={job} path={`/console/users/import/${id}`}>
        <Facts
          facts={[
            [say('import.total'), <Count key="total" of={summary.total} />],
            [say('import.inserted'), <Count key="inserted" of={summary.inserted} />],
            [say('import.updated'), <Count key="updated" of={summary.updated} />],
            [say('import.failed'), <Count key="failed" of={summary.failed} />],
            [say('import.started'), <Moment key="at" at={created_at} />],
          ]}
        />
        {isOver && (
          <p className="co-form-foot">
            <Link className="co-button" href="/console/users" prefetch={false}>
              {say('import.to_users')}
            </Link>
            <Link className="co-button" href="/console/users/import" prefetch={false}>
              {say('import.again')}
            </Link>
          </p>
        )}
      </JobProgress>
      {(summary.failed > 0 || isOver) && (
        <Panel
          title={say('import.failures')}
          lead={summary.failed > 0 && say('import.failures.lead', { count: String(LISTED) })}
        >
          {summary.failed === 0 ? (
            <p>{say('import.failures.none')}</p>
          ) : (
            <>
              <p className="co-form-foot">
                <a className="co-button" href={`/console/users/import/${id}/failures?format=csv`} download>
                  {say('import.failures.csv')}
                </a>
                <a className="co-button" href={`/console/users/import/${id}/failures?format=json`} download>
                  {say('import.failures.json')}
                </a>
              </p>
              <Entries label={say('import.failures')} entries={failures.slice(0, LISTED)} />
            </>
          )}
        </Panel>
      )}
    </>
  )
}
