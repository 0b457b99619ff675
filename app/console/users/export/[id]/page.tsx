import type { Metadata } from 'next'
import { jobs } from '../../../../../lib/management/jobs/resource'
import { offerOf } from '../../../../../lib/server/next/console/people-export'
import { requireSession } from '../../../../../lib/server/next/console/session'
import { say } from '../../../../../lib/text/console'
import { Facts } from '../../../_parts/facts'
import { Forbid, Nowhere } from '../../../_parts/forbid'
import { Head } from '../../../_parts/head'
import { JobProgress } from '../../../_parts/job-progress'
import { Moment } from '../../../_parts/moment'
import { consolePage } from '../../../_parts/page'
import { Panel } from '../../../_parts/panel'

export const metadata: Metadata = { title: say('export.title') }

export default consolePage(async ({ console, params: { id = '' } }) => {
  if (!console.may(jobs.usersExports)) throw new Forbid()
  const [job, session] = await Promise.all([console.read(jobs.read, { params: { id } }), requireSession()])
  if (job.type !== 'users_export') throw new Nowhere()
  const offer = await offerOf(id, session)
  return (
    <>
      <Head title={say('export.job')} back={{ href: '/console/users', title: say('users.title') }} />
      <JobProgress job={job} path={`/console/users/export/${id}`}>
        <Facts facts={[[say('import.started'), <Moment key="at" at={job.created_at} />]]} />
      </JobProgress>
      {job.status === 'completed' && (
        <Panel title={say('export.file')} lead={say('export.file.lead')}>
          {offer === 'ready' ? (
            <p className="co-form-foot">
              <a className="co-button co-button-primary" href={`/console/users/export/${id}/file`} download>
                {say('export.file.download')}
              </a>
            </p>
          ) : (
            <p>{say(offer === 'over' ? 'export.file.over' : 'export.file.other')}</p>
          )}
        </Panel>
      )}
    </>
  )
})
