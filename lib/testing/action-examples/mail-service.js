// custom-email-provider: a service delivers the mails; what it refuses is given up, and what it fails at is tried again.
const https = require('node:https')
const http = require('node:http')

const post = (address, headers, body) =>
  new Promise((resolve, reject) => {
    const { request } = address.startsWith('https:') ? https : http
    const sent = request(address, { method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })

exports.onExecuteCustomEmailProvider = async (event, api) => {
  const { to, from, subject, html, text, message_type } = event.notification
  const headers = { 'content-type': 'application/json', 'x-api-key': event.secrets.MAIL_KEY }
  const status = await post(
    event.secrets.MAIL_URL,
    headers,
    JSON.stringify({ to, from, subject, html, text, tag: message_type }),
  )
  if (status >= 500) api.notification.retry(`The service answered ${status}`)
  else if (status >= 400) api.notification.drop(`The service refused ${message_type}`)
}
