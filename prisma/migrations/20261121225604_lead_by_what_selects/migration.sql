-- An index is led by the column that selects: one led by the tenant was walked where a table had no statistics yet. What is
-- removed by its age is found by a B-tree: a BRIN index forgets nothing, so once a page is used again it matches everything.

-- DropIndex
DROP INDEX "user_tenant_id_email_idx";

-- DropIndex
DROP INDEX "identity_tenant_id_user_id_idx";

-- DropIndex
DROP INDEX "authenticator_tenant_id_user_id_idx";

-- DropIndex
DROP INDEX "known_browser_seen_at_idx";

-- DropIndex
DROP INDEX "device_credential_tenant_id_user_id_idx";

-- DropIndex
DROP INDEX "login_transaction_expires_at_idx";

-- DropIndex
DROP INDEX "mfa_challenge_tenant_id_authenticator_id_idx";

-- DropIndex
DROP INDEX "mfa_challenge_expires_at_idx";

-- DropIndex
DROP INDEX "session_tenant_id_user_id_idx";

-- DropIndex
DROP INDEX "session_expires_at_idx";

-- DropIndex
DROP INDEX "saml_participant_expires_at_idx";

-- DropIndex
DROP INDEX "one_time_code_expires_at_idx";

-- DropIndex
DROP INDEX "attempt_counter_expires_at_idx";

-- DropIndex
DROP INDEX "device_authorization_expires_at_idx";

-- DropIndex
DROP INDEX "token_family_tenant_id_user_id_idx";

-- DropIndex
DROP INDEX "token_family_expires_at_idx";

-- DropIndex
DROP INDEX "ticket_tenant_id_kind_subject_idx";

-- DropIndex
DROP INDEX "ticket_expires_at_idx";

-- DropIndex
DROP INDEX "outbox_message_next_attempt_at_idx";

-- CreateIndex
CREATE INDEX "user_email_tenant_id_idx" ON "user"("email", "tenant_id");

-- CreateIndex
CREATE INDEX "identity_user_id_tenant_id_idx" ON "identity"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "authenticator_user_id_tenant_id_idx" ON "authenticator"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "known_browser_seen_at_idx" ON "known_browser"("seen_at");

-- CreateIndex
CREATE INDEX "device_credential_user_id_tenant_id_idx" ON "device_credential"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "login_transaction_expires_at_idx" ON "login_transaction"("expires_at");

-- CreateIndex
CREATE INDEX "mfa_challenge_authenticator_id_tenant_id_idx" ON "mfa_challenge"("authenticator_id", "tenant_id");

-- CreateIndex
CREATE INDEX "mfa_challenge_expires_at_idx" ON "mfa_challenge"("expires_at");

-- CreateIndex
CREATE INDEX "session_user_id_tenant_id_idx" ON "session"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "saml_participant_expires_at_idx" ON "saml_participant"("expires_at");

-- CreateIndex
CREATE INDEX "one_time_code_expires_at_idx" ON "one_time_code"("expires_at");

-- CreateIndex
CREATE INDEX "attempt_counter_expires_at_idx" ON "attempt_counter"("expires_at");

-- CreateIndex
CREATE INDEX "device_authorization_expires_at_idx" ON "device_authorization"("expires_at");

-- CreateIndex
CREATE INDEX "token_family_user_id_tenant_id_idx" ON "token_family"("user_id", "tenant_id");

-- CreateIndex
CREATE INDEX "token_family_expires_at_idx" ON "token_family"("expires_at");

-- CreateIndex
CREATE INDEX "ticket_subject_kind_tenant_id_idx" ON "ticket"("subject", "kind", "tenant_id");

-- CreateIndex
CREATE INDEX "ticket_expires_at_idx" ON "ticket"("expires_at");

-- CreateIndex
CREATE INDEX "outbox_message_next_attempt_at_created_at_idx" ON "outbox_message"("next_attempt_at", "created_at");

-- Whose half-way logins end with the password; most logins end before anybody is written into them.
CREATE INDEX "login_transaction_user_id_idx" ON "login_transaction"("user_id") WHERE "user_id" IS NOT NULL;

-- A device is known by what it proves itself with.
CREATE INDEX "authenticator_device_idx" ON "authenticator"("secret_digest") WHERE "channel" = 'auth0';

-- What waits to be confirmed and never was.
CREATE INDEX "authenticator_waiting_idx" ON "authenticator"("created_at") WHERE NOT "active";

-- Room in the page for the next version of a row, so that a rotation, a visit and a login stay out of the indexes.
ALTER TABLE "token_family" SET (fillfactor = 80);
ALTER TABLE "session" SET (fillfactor = 80);
ALTER TABLE "login_transaction" SET (fillfactor = 80);
ALTER TABLE "user" SET (fillfactor = 90);
