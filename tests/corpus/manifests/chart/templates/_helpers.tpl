{{- define "shoots.name" -}}{{ .Values.name }}{{- end -}}
