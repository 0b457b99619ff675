import { say } from '../../lib/texts/console'
import { consolePage } from './_parts/page'

export default consolePage(async ({ console }) => (
  <>
    <h1 className="co-title">{console.tenantName}</h1>
    <p className="co-lead">{say('home.lead')}</p>
  </>
))
