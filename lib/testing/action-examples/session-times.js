// post-login: how long a session lasts, by metadata of the organization, the connection or the application, in this order.
const MINUTE = 60_000

const minutesOf = (name, places) => {
  const found = places.map((place) => Number(place?.metadata?.[name])).find((minutes) => minutes > 0)
  return found === undefined ? null : found * MINUTE
}

exports.onExecutePostLogin = async (event, api) => {
  const places = [event.organization, event.connection, event.client]
  const began = event.session ? Date.parse(event.session.created_at) : Date.now()
  const whole = minutesOf('session_minutes', places)
  const idle = minutesOf('idle_minutes', places)
  if (whole) api.session.setExpiresAt(began + whole)
  if (idle) api.session.setIdleExpiresAt(Date.now() + idle)
  api.session.setMetadata('limited_by', whole ? 'metadata' : 'tenant')
}
