{{- define "garden-gate.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "garden-gate.fullname" -}}
{{- $name := include "garden-gate.name" . }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 57 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 57 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 57 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "garden-gate.selectorLabels" -}}
app.kubernetes.io/name: {{ include "garden-gate.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "garden-gate.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "garden-gate.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "garden-gate.serviceAccountName" -}}
{{- default (include "garden-gate.fullname" .) .Values.serviceAccount.name }}
{{- end }}

{{- define "garden-gate.certificateSecret" -}}
{{- default (printf "%s-tls" (include "garden-gate.fullname" .)) .Values.certificates.secretName }}
{{- end }}

{{- define "garden-gate.image" -}}
{{- $tag := default .Chart.AppVersion .Values.image.tag }}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository $tag }}
{{- end }}
{{- end }}

{{/* Not empty if this installation contains the server. */}}
{{- define "garden-gate.runs" -}}
{{- if ne .Values.target "garden" }}true{{ end }}
{{- end }}

{{/* Not empty if this installation contains the webhook registration. */}}
{{- define "garden-gate.registers" -}}
{{- if ne .Values.target "runtime" }}true{{ end }}
{{- end }}

{{/* Not empty if the server runs in the cluster whose API server calls it. */}}
{{- define "garden-gate.isLocal" -}}
{{- if has .Values.target (list "all" "shoot") }}true{{ end }}
{{- end }}

{{/* Not empty if the certificate is self-managed. */}}
{{- define "garden-gate.selfManages" -}}
{{- if and (include "garden-gate.runs" .) (eq .Values.certificates.mode "self-managed") }}true{{ end }}
{{- end }}

{{/* Not empty if the server uses the API server of its own cluster, for the garden or for its certificate. */}}
{{- define "garden-gate.usesToken" -}}
{{- if or (eq .Values.target "all") (include "garden-gate.selfManages" .) }}true{{ end }}
{{- end }}

{{/* Not empty if client certificates are required. */}}
{{- define "garden-gate.clientCA" -}}
{{- if or .Values.clientCA.configMapName .Values.clientCA.secretName }}true{{ end }}
{{- end }}

{{/* Not empty if all clients may connect, including the pod of `helm test`. */}}
{{- define "garden-gate.isProbed" -}}
{{- $isOpen := not (and .Values.networkPolicy.enabled .Values.networkPolicy.from) }}
{{- if and (include "garden-gate.runs" .) $isOpen (not (include "garden-gate.clientCA" .)) }}true{{ end }}
{{- end }}

{{/* Fails with a fix if values contradict each other. */}}
{{- define "garden-gate.check" -}}
{{- $mode := .Values.certificates.mode }}
{{- if and (eq .Values.target "runtime") (not .Values.kubeconfig.secretName) }}
{{- fail "target runtime needs a kubeconfig of the garden: set kubeconfig.secretName" }}
{{- end }}
{{- $isLocal := include "garden-gate.isLocal" . }}
{{- if and $isLocal .Values.kubeconfig.secretName }}
{{- fail "kubeconfig.secretName names another cluster: set target to runtime here, and install the chart there with target garden" }}
{{- end }}
{{- if and (eq .Values.target "shoot") (ne .Values.webhooks.failurePolicy "Ignore") }}
{{- fail "failurePolicy Fail in a Shoot cluster prevents its wake-up: set webhooks.failurePolicy to Ignore" }}
{{- end }}
{{- if and (not $isLocal) (eq $mode "self-managed") }}
{{- fail "self-managed certificates need target all or shoot: set certificates.mode to cert-manager or files" }}
{{- end }}
{{- if and (eq .Values.target "garden") (not .Values.webhooks.url) }}
{{- fail "target garden registers the server by URL: set webhooks.url" }}
{{- end }}
{{- if and (eq .Values.target "garden") (not .Values.kubeconfig.user.name) }}
{{- fail "target garden grants permissions to the user of the kubeconfig: set kubeconfig.user.name" }}
{{- end }}
{{- if and $isLocal (eq $mode "files") (not .Values.webhooks.caBundle) (not .Values.webhooks.url) }}
{{- fail "with certificates.mode files, the registration needs the CA: set webhooks.caBundle" }}
{{- end }}
{{- if and (eq (int .Values.replicas) 0) (eq .Values.webhooks.failurePolicy "Fail") }}
{{- fail "without replicas, webhooks.failurePolicy Fail refuses all registered writes: set it to Ignore first" }}
{{- end }}
{{- if and .Values.clientCA.configMapName .Values.clientCA.secretName }}
{{- fail "clientCA.configMapName and clientCA.secretName are exclusive: set one of them" }}
{{- end }}
{{- if and .Values.clientNames (not (include "garden-gate.clientCA" .)) }}
{{- fail "clientNames needs client certificates: set clientCA.configMapName or clientCA.secretName" }}
{{- end }}
{{- if and .Values.webhooks.caBundle $isLocal (ne $mode "files") }}
{{- fail (printf "certificates.mode %s writes the CA itself: leave webhooks.caBundle empty" $mode) }}
{{- end }}
{{- end }}

{{/* The user of the server in the garden: a subject of role bindings. */}}
{{- define "garden-gate.gardenUser" -}}
{{- $user := .Values.kubeconfig.user -}}
{{- if eq .Values.target "all" -}}
kind: ServiceAccount
name: {{ include "garden-gate.serviceAccountName" . }}
namespace: {{ .Release.Namespace }}
{{- else if eq $user.kind "ServiceAccount" -}}
kind: ServiceAccount
name: {{ $user.name | quote }}
namespace: {{ required "kubeconfig.user.namespace: a ServiceAccount has a namespace" $user.namespace }}
{{- else -}}
kind: {{ $user.kind }}
apiGroup: rbac.authorization.k8s.io
name: {{ $user.name | quote }}
{{- end }}
{{- end }}
