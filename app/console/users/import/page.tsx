import type { Metadata } from 'next'
import { jobs } from '../../../../lib/management/jobs/resource'
import { importLimit, problemIn } from '../../../../lib/server/next/console/people-import'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { consolePage } from '../../_parts/page'
import { Panel } from '../../_parts/panel'
import { Notice } from '../../_parts/states'

export const metadata: Metadata = { title: say('import.title') }

export default consolePage(async ({ console, query }) => {
  if (!console.may(jobs.usersImports)) throw new Forbid()
  const [problem, megabytes] = await Promise.all([problemIn(query), importLimit()])
  return (
    <>
      <Head
        title={say('import.title')}
        lead={say('import.lead')}
        back={{ href: '/console/users', title: say('users.title') }}
      />
      {problem !== null && <Notice kind="error">{problem}</Notice>}
      <Panel title={say('import.file')} lead={say('import.file.lead')}>
        <form className="co-form" method="post" action="/console/users/import/upload" encType="multipart/form-data">
          <div className="co-field">
            <label className="co-label" htmlFor="file">
              {say('import.file')}
            </label>
            <input
              id="file"
              className="co-input"
              type="file"
              name="file"
              required
              accept=".json,.ndjson,.jsonl,.csv,.tsv,.txt,application/json,text/csv"
              aria-describedby="file-hint"
            />
            <p id="file-hint" className="co-hint">
              {say('import.file.most', { size: String(megabytes) })} {say('import.file.kept')}
            </p>
          </div>
          <div className="co-form-foot">
            <button type="submit" className="co-button co-button-primary">
              {say('import.file.send')}
            </button>
          </div>
        </form>
      </Panel>
    </>
  )
})
