-- CreateIndex
CREATE INDEX "organization_invitation_email_tenant_id_idx" ON "organization_invitation"("email", "tenant_id");
