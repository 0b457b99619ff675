-- CreateIndex
CREATE INDEX "client_created_at_tenant_id_idx" ON "client"("created_at", "tenant_id");

-- Those that an operator created; others registered themselves and are many
CREATE INDEX "client_unregistered_idx" ON "client"("tenant_id", "client_id") WHERE "registration_digest" IS NULL;

-- CreateIndex
CREATE INDEX "organization_created_at_tenant_id_idx" ON "organization"("created_at", "tenant_id");

-- CreateIndex
CREATE INDEX "organization_domain_organization_id_tenant_id_id_idx" ON "organization_domain"("organization_id", "tenant_id", "id");

-- CreateIndex
CREATE INDEX "organization_client_grant_client_grant_id_organization_id_idx" ON "organization_client_grant"("client_grant_id", "organization_id");

-- CreateIndex
CREATE INDEX "device_credential_user_id_tenant_id_id_idx" ON "device_credential"("user_id", "tenant_id", "id");

-- CreateIndex
CREATE INDEX "device_credential_client_id_tenant_id_id_idx" ON "device_credential"("client_id", "tenant_id", "id");

-- CreateIndex
CREATE INDEX "consent_client_id_tenant_id_user_id_idx" ON "consent"("client_id", "tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "consent_audience_tenant_id_user_id_idx" ON "consent"("audience", "tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "user_permission_audience_tenant_id_user_id_idx" ON "user_permission"("audience", "tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "user_role_role_id_tenant_id_user_id_idx" ON "user_role"("role_id", "tenant_id", "user_id");

-- CreateIndex
CREATE INDEX "action_run_action_tenant_id_id_idx" ON "action_run"("action", "tenant_id", "id");

-- DropIndex
DROP INDEX "organization_domain_organization_id_tenant_id_idx";

-- DropIndex
DROP INDEX "organization_client_grant_client_grant_id_idx";

-- DropIndex
DROP INDEX "device_credential_user_id_tenant_id_idx";

-- DropIndex
DROP INDEX "user_role_tenant_id_role_id_idx";
