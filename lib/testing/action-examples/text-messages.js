// send-phone-message: a gateway of our own delivers the codes of second factors.
exports.onExecuteSendPhoneMessage = async (event) => {
  const { recipient, text, code, message_type } = event.message_options
  const form = new FormData()
  for (const [name, value] of Object.entries({ recipient, text, code, message_type })) form.set(name, value)
  const authorization = `Basic ${Buffer.from(`acme:${event.secrets.GATEWAY_KEY}`).toString('base64')}`
  const answer = await fetch(event.secrets.GATEWAY_URL, { method: 'POST', headers: { authorization }, body: form })
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`)
}
