-- The few accounts whose address may have another spelling than its canonical one (lib/store/prisma/address-forms.ts): a start of the
-- server reads them, and no others.
CREATE INDEX "identity_email_key_form_idx" ON "identity"("tenant_id", "connection_id", "email_key") WHERE "email_key" ~ '[^ -~]|xn--|\.$';
CREATE INDEX "identity_username_key_form_idx" ON "identity"("tenant_id", "connection_id", "username_key") WHERE "username_key" ~ '[^ -~]|xn--|\.$';
CREATE INDEX "user_email_form_idx" ON "user"("tenant_id", "id") WHERE "email" ~ '[^ -~]|xn--|\.$';
